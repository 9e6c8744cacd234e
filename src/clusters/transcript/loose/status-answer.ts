import { parsedJson } from '../../../base/parsed-json.ts';
import { asText } from '../../../base/json.ts';

/** What the API server said, where a client printed the Status that it answered. Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1 (Status). */
export function statusAnswer(text: string): string | undefined {
  if (!/["']?kind["']?: ?["']Status["']/.test(text)) return undefined;
  const [message, reason] = [fieldIn(text, MESSAGE), fieldIn(text, REASON)];
  return message === undefined ? undefined : `Error from server (${reason ?? 'Unknown'}): ${message}`;
}

const MESSAGE = /["']?message["']?: ?(?:("(?:[^"\\]|\\.){0,4000}")|'((?:[^'\\]|\\.){0,4000})')/;
const REASON = /["']?reason["']?: ?(?:("(?:[^"\\]|\\.){0,4000}")|'((?:[^'\\]|\\.){0,4000})')/;

/** Also of a text that breaks off, and of an object as Node prints it. */
function fieldIn(text: string, field: RegExp): string | undefined {
  const [, quoted, single] = field.exec(text) ?? [];
  return quoted === undefined ? single : asText(parsedJson(quoted) ?? undefined);
}

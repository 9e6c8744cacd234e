import { parsedJson } from '../../../base/parsed-json.ts';
import { asText } from '../../../base/json.ts';

/** What the API server said, where a client printed the Status that it answered. Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1 (Status). */
export function statusAnswer(text: string): string | undefined {
  if (!/["']?kind["']?: ?["']Status["']/.test(text)) return undefined;
  const [message, reason] = [fieldIn(text, 'message'), fieldIn(text, 'reason')];
  return message === undefined ? undefined : `Error from server (${reason ?? 'Unknown'}): ${message}`;
}

/** Also of a text that breaks off, and of an object as Node prints it. */
function fieldIn(text: string, name: string): string | undefined {
  const [, quoted, single] =
    new RegExp(`["']?${name}["']?: ?(?:("(?:[^"\\\\]|\\\\.){0,4000}")|'((?:[^'\\\\]|\\\\.){0,4000})')`).exec(text) ?? [];
  return quoted === undefined ? single : asText(parsedJson(quoted) ?? undefined);
}

import { asText, dig } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { labelsOf } from '../../src/model/kube-object.ts';

/** Puts `<id>`, `<ip>`, `<time>` and the like in the place of what is another in every run. */
export type Mask = (text: string) => string;

/**
 * A mask for the texts of one cluster. Its objects say which names were generated; the rest is told by its form: Kubernetes makes
 * random names of an alphabet without vowels and easily confused digits (staging/src/k8s.io/apimachinery/pkg/util/rand/rand.go).
 * `places` are paths its node was configured with, and what they are called everywhere else.
 */
export function maskFor(objects: readonly KubeObject[], places: ReadonlyMap<string, string> = new Map()): Mask {
  const names = new Map<string, string>();
  for (const object of objects) {
    const generated = asText(dig(object, 'metadata', 'generateName'));
    const { name } = object.metadata;
    const hash = labelsOf(object)['pod-template-hash'] ?? labelsOf(object)['controller-revision-hash'];
    // Pods of a StatefulSet have the field too, but their names are numbered.
    let masked =
      generated !== undefined && name.startsWith(generated) && RANDOM.test(name.slice(generated.length)) ? `${generated}<id>` : name;
    if (hash !== undefined) masked = masked.replace(`-${hash}`, '-<hash>');
    if (masked !== name) names.set(name, masked);
  }
  const longestFirst = [...names].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  const replaced = [...places, ...longestFirst];
  return (text) => {
    let masked = text;
    for (const [name, shown] of replaced) if (masked.includes(name)) masked = masked.replaceAll(name, shown);
    return maskForms(masked);
  };
}

const RANDOM = /^[bcdfghjklmnpqrstvwxz2456789]{5}$/;

function maskForms(text: string): string {
  let masked = text;
  for (const [form, shown] of FORMS) masked = masked.replace(form, shown);
  return masked;
}

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\b[0-9a-f]{32,64}\b/g, '<hex>'],
  [/\b10\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g, '<ip>'],
  [/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<id>'],
  [/-(?=[a-z]*\d)[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-<hash>-<id>'],
  [/-(?=[a-z]*\d)[bcdfghjklmnpqrstvwxz2456789]{7,10}\b/g, '-<hash>'],
  [/-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])/g, '-<id>'],
  [/\b(\d+(?:\.\d+)?)(?:ms|µs|s) \((?:[\dm.]+)(?:ms|µs|s) including waiting\)/g, '<duration> (<duration> including waiting)'],
  [/Image size: \d+ bytes/g, 'Image size: <n> bytes'],
  [/"resourceVersion": ?"\d+"/g, '"resourceVersion":"<n>"'],
  [/ephemeral:\d+->|:\d+->/g, ':<port>->'],
];

import type { JsonObject } from '../../../base/json.ts';

export const READ = 'get,list,watch';
export const WRITE = 'create,delete,deletecollection,patch,update';
export const EVENTS = 'create,patch,update | -,events.k8s.io | events';

/** A rule of a role, from `verbs | groups | resources [| names]`, `-` standing for the core group, or from `verbs @ paths`. */
export function readRule(line: string): JsonObject {
  if (line.includes(' @ ')) {
    const [verbs = '', paths = ''] = line.split(' @ ');
    return { verbs: verbs.split(','), nonResourceURLs: paths.split(',') };
  }
  const [verbs = '', groups = '', resources = '', names] = line.split(' | ');
  return {
    verbs: verbs.split(','),
    apiGroups: groups.split(',').map((group) => (group === '-' ? '' : group)),
    resources: resources.split(','),
    ...(names === undefined ? {} : { resourceNames: names.split(',') }),
  };
}

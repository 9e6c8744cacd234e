import type { ApiRequest } from './request.ts';

/** `/apis/apps/v1/namespaces/shop/deployments/web/status`. */
export function pathOf(request: Pick<ApiRequest, 'group' | 'version' | 'namespace' | 'resource' | 'name' | 'subresource'>): string {
  const root = request.group === '' ? `/api/${request.version}` : `/apis/${request.group}/${request.version}`;
  const place = request.namespace === undefined || request.resource === 'namespaces' ? '' : `/namespaces/${request.namespace}`;
  const name = request.name === undefined ? '' : `/${request.name}`;
  return `${root}${place}/${request.resource}${name}${request.subresource === undefined ? '' : `/${request.subresource}`}`;
}

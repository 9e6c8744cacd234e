import { describe, expect, it } from 'vitest';
import { parseImage, projectOf } from '../../../src/collect/images/image-reference.ts';

describe('an image reference', () => {
  it.each([
    ['nginx', { registry: 'docker.io', repository: 'library/nginx', tag: 'latest', digest: undefined }],
    ['shop/web:1', { registry: 'docker.io', repository: 'shop/web', tag: '1', digest: undefined }],
    ['localhost/web', { registry: 'localhost', repository: 'web', tag: 'latest', digest: undefined }],
    ['10.0.0.9:5000/shop/web:1', { registry: '10.0.0.9:5000', repository: 'shop/web', tag: '1', digest: undefined }],
    ['quay.io/shop/web@sha256:ab', { registry: 'quay.io', repository: 'shop/web', tag: undefined, digest: 'sha256:ab' }],
    ['index.docker.io/nginx:1', { registry: 'docker.io', repository: 'library/nginx', tag: '1', digest: undefined }],
    ['docker.io/shop/web', { registry: 'docker.io', repository: 'shop/web', tag: 'latest', digest: undefined }],
    ['quay.io/web', { registry: 'quay.io', repository: 'web', tag: 'latest', digest: undefined }],
    ['shop/team/web', { registry: 'docker.io', repository: 'shop/team/web', tag: 'latest', digest: undefined }],
    ['host:5000/web', { registry: 'host:5000', repository: 'web', tag: 'latest', digest: undefined }],
    ['/web', { registry: 'docker.io', repository: '/web', tag: 'latest', digest: undefined }],
    ['web:1@sha256:ab', { registry: 'docker.io', repository: 'library/web', tag: '1', digest: 'sha256:ab' }],
    ['@sha256:ab', { registry: 'docker.io', repository: 'library/', tag: undefined, digest: 'sha256:ab' }],
    ['<image>', { registry: '<registry>', repository: '<image>', tag: undefined, digest: undefined }],
  ])('%s is taken apart as the runtime does', (image, expected) => {
    expect(parseImage(image)).toEqual(expected);
  });

  it.each([
    ['quay.io/shop/web:1', 'quay.io/shop'],
    ['quay.io/shop/team/web', 'quay.io/shop/team'],
    ['quay.io/web', 'quay.io'],
    ['nginx', 'docker.io/library'],
  ])('%s is kept in %s', (image, project) => {
    expect(projectOf(parseImage(image))).toBe(project);
  });
});

import { describe, expect, it } from 'vitest';
import { parseImage } from '../../../src/collect/images/image-reference.ts';

describe('an image reference', () => {
  it.each([
    ['nginx', { registry: 'docker.io', repository: 'library/nginx', tag: 'latest', digest: undefined }],
    ['shop/web:1', { registry: 'docker.io', repository: 'shop/web', tag: '1', digest: undefined }],
    ['localhost/web', { registry: 'localhost', repository: 'web', tag: 'latest', digest: undefined }],
    ['10.0.0.9:5000/shop/web:1', { registry: '10.0.0.9:5000', repository: 'shop/web', tag: '1', digest: undefined }],
    ['quay.io/shop/web@sha256:ab', { registry: 'quay.io', repository: 'shop/web', tag: undefined, digest: 'sha256:ab' }],
  ])('%s is taken apart as the runtime does', (image, expected) => {
    expect(parseImage(image)).toEqual(expected);
  });
});

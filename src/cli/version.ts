declare const PODCHECK_VERSION: string | undefined;

/** The package's version, which the build puts in. */
export const VERSION: string = typeof PODCHECK_VERSION === 'string' ? PODCHECK_VERSION : '0.0.0-development';

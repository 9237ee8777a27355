/** This is the version of this program, filled in by the build; a program that runs from source says so. */
declare const __ZESTER_VERSION__: string | undefined;
declare const __ZESTER_COMMIT__: string | undefined;

export const VERSION = typeof __ZESTER_VERSION__ === 'string' ? __ZESTER_VERSION__ : '0.0.0-source';
const COMMIT = typeof __ZESTER_COMMIT__ === 'string' ? __ZESTER_COMMIT__.slice(0, 12) : 'source';

export const versionLine = (program: string): string =>
  `${program} ${VERSION} (commit ${COMMIT}, Node ${process.version})`;

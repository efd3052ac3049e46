/** The function of the package that is used; the package has no types. */
declare module 'fs-native-extensions' {
  /** Tries to get an exclusive lock of the open file description; false if another one has it. */
  export function tryLock(descriptor: number): boolean
}

/** The part of the package that is used; it has no types of its own. */
declare module 'fs-native-extensions' {
  /** Asks for an exclusive lock of the open file description; false when another one has it. */
  export function tryLock(descriptor: number): boolean
}

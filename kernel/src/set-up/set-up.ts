import type { InjectionToken } from 'tsyringe'
/** What a fresh installation still has to be told, remembered over restarts. */
export interface SetUp {
  /** What the first start found: a database folder or a file with any key makes it `existing`. Never changes afterwards. */
  readonly installation: 'fresh' | 'existing'
  /**
   * Dotted paths of the settings that nobody has chosen yet: neither the file, nor the environment, nor {@link choose}. Their defaults hold.
   * Always empty on an existing installation, where the defaults count as chosen.
   */
  open(): readonly string[]
  /**
   * Called with the paths that set-up, or a save, gives values to: a chosen default leaves no trace in the file. Paths that are not
   * {@link open} are passed over. Durable when the promise resolves.
   */
  choose(paths: readonly string[]): Promise<void>
}

export const setUpToken: InjectionToken<SetUp> = Symbol('set-up')

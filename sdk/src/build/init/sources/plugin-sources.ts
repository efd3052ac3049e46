/** The modules of a new plugin: its code and its test. */
export interface PluginSources {
  readonly index: string
  readonly test: string
  /** Further modules beside `index.ts`, by their file names. Default: none. */
  readonly more?: Readonly<Record<string, string>>
}

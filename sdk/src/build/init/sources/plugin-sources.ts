/** The modules of a new plugin: its code and its test. */
export interface PluginSources {
  readonly index: string
  readonly test: string
}

/** What a sync tells beside the items. Names are encrypted, but those of organisations, which the server knows. */
export interface Profile {
  readonly userId: string
  readonly email: string
  readonly folders: ReadonlyMap<string, string>
  readonly collections: ReadonlyMap<string, string>
  readonly organizations: ReadonlyMap<string, { readonly name: string; readonly key: Uint8Array }>
}

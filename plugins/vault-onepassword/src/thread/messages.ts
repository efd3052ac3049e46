import type { Item, ItemCreateParams, ItemOverview, VaultOverview } from '@1password/sdk'

/** What the thread can be asked, and what it answers with. */
export interface SdkMethods {
  readonly listVaults: { readonly input: Record<never, never>; readonly output: readonly VaultOverview[] }
  readonly listItems: { readonly input: { readonly vaultId: string }; readonly output: readonly ItemOverview[] }
  readonly getItem: { readonly input: { readonly vaultId: string; readonly itemId: string }; readonly output: Item }
  readonly putItem: { readonly input: { readonly item: Item }; readonly output: Item }
  readonly createItem: { readonly input: { readonly item: ItemCreateParams }; readonly output: Item }
}

/** What the thread begins with. */
export interface ThreadData {
  /** The module with `createClient`. */
  readonly sdk: string
  readonly token: string
}

/** A request that the SDK makes, for the guarded client. */
export interface FetchRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/** What came of it. */
export interface FetchResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly body: Uint8Array
}

/** To the thread. */
export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly method: keyof SdkMethods; readonly input: object; readonly signInAgain: boolean }
  | { readonly kind: 'fetched'; readonly id: number; readonly response: FetchResponse | undefined }

/** From the thread. The text of an error stays in the service: it may hold anything. */
export type FromThread =
  | { readonly kind: 'done'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly name: string; readonly message: string }
  | { readonly kind: 'fetch'; readonly id: number; readonly request: FetchRequest }

/** A request to the address of a connection, as it came. */
export interface ChannelWebhookRequest {
  /** As it was sent. */
  readonly method: 'GET' | 'POST'
  /**
   * The address that the vendor called, for signatures: {@link ChannelConnection.webhookUrl}, and what
   * came after it, path and query, byte for byte. Never from a `Host` header.
   */
  readonly url: string
  /** By lower-case name; several of one name joined with `, `. With those that carry credentials. */
  readonly headers: Readonly<Record<string, string>>
  /** The raw bytes; empty for GET. */
  readonly body: Uint8Array
}

/** What the vendor gets. */
export interface ChannelWebhookAnswer {
  /** 200 to 599. */
  readonly status: number
  /** Default: none. `content-length` and those of the connection are the service's. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: empty. A text is sent as UTF-8. */
  readonly body?: string | Uint8Array
}

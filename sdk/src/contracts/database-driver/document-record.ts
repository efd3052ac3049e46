/** A document as it is stored. */
export interface DocumentRecord {
  /** Unique in its collection: 1 to 200 bytes of UTF-8, compared byte by byte. */
  readonly id: string
  /** The number of the commit that wrote it. */
  readonly revision: number
  /** JSON text of an object, UTF-8 well-formed. */
  readonly body: string
}

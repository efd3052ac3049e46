/** A picture to be made smaller, as the thread gets it. */
export interface PictureTask {
  /** Base64. */
  readonly data: string
  readonly mediaType: string
  readonly width: number
  readonly height: number
  /** As EXIF counts it; the result is upright. */
  readonly orientation: number
  readonly maxSide?: number | undefined
  readonly maxBase64Length?: number | undefined
  /** The media types that may come out. Default: any. */
  readonly types?: readonly string[] | undefined
}

/** A picture within its limits. */
export interface ReducedPicture {
  /** Base64. */
  readonly data: string
  readonly mediaType: string
}

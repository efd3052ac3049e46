/** The most that a call may use, as far as it is known before it is sent. */
export interface CallEstimate {
  readonly tokens: number
  /** In billionths of a US dollar; 0 if the price is not known. */
  readonly costNano: number
}

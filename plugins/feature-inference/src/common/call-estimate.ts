/** The most that a call may use, as far as that is known before it is sent. */
export interface CallEstimate {
  readonly tokens: number
  /** In billionths of a US dollar; 0 where the price is not known. */
  readonly costNano: number
}

/** How a connection that was lost is tried again. */
export interface RetrySettings {
  readonly max_retries: number
  readonly initial_backoff_ms: number
  readonly backoff_multiplier: number
  readonly max_backoff_ms: number
}

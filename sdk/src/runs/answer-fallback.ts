/** That another model than the one that was wanted gave an answer. */
export type AnswerFallback = {
  /** `model_group_unknown`: the group does not exist, so `primary` was used, and no model of that failed. */
  readonly reason: 'model_failed' | 'model_group_unknown'
  /** The model that was to answer, `<connection>/<model>`, or the group that does not exist. */
  readonly wanted: string
  /** The model that answered, or the group that was used. */
  readonly used: string
  /** How the wanted model failed: `rate_limited`, `overloaded`, … Only with `model_failed`. */
  readonly failure?: string
  /** Why, in the vendor's words, at most 300 characters. Only with `model_failed`. */
  readonly detail?: string
}

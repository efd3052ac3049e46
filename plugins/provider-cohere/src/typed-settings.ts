import { Type } from '@agent-service/sdk'

/** Nothing beside `max_tokens` and `temperature`: everything else goes through `extra_params`. */
export const cohereSettings = Type.Object({})

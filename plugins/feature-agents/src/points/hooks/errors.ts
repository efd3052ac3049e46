import { defineError } from '@agent-service/sdk'

/** A hook vetoed a model call. */
export const modelCallVetoedError = defineError<{ readonly reason: string }>({
  code: 'model_call_vetoed',
  status: 403,
  title: 'Model call vetoed',
  message: ({ reason }) => `The model was not called. ${reason}`,
})

/** A hook vetoed the answer of a model. */
export const modelAnswerVetoedError = defineError<{ readonly reason: string }>({
  code: 'model_answer_vetoed',
  status: 403,
  title: 'Answer vetoed',
  message: ({ reason }) => `The model's answer was rejected. ${reason}`,
})

import { defineError } from '@agent-service/sdk'

/** The data folder cannot be written to at the first start. */
export const setUpNotWrittenError = defineError<{ readonly reason: string }>({
  code: 'set_up_not_written',
  status: 500,
  title: 'Data folder not writable',
  message: ({ reason }) =>
    `The first start could not write into the data folder (storage.data_dir): ${reason}. Give the service a folder that it may write to.`,
})

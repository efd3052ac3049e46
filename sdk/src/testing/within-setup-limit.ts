const setupLimitMs = 30_000

/** Waits for a setup under trial. @throws what it throws, and when it takes longer than the host would wait. */
export async function withinSetupLimit(setup: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${setupLimitMs / 1_000} seconds.`)), setupLimitMs)
  })
  try {
    await Promise.race([setup, limit])
  } finally {
    clearTimeout(timer)
  }
}

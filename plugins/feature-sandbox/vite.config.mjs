import { fileURLToPath } from 'node:url'
import { adoptStyles } from './adopt-styles.mjs'

/** What the build of the screens has beside what every plugin has. */
export default { plugins: [adoptStyles(fileURLToPath(new URL('web/screens/terminal/adopted-style.ts', import.meta.url)))] }

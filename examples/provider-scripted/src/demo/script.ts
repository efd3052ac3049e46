import { attachedFile } from './scenes/attached-file.js'
import { chart } from './scenes/chart.js'
import { checklist } from './scenes/checklist.js'
import { clock } from './scenes/clock.js'
import { comparison } from './scenes/comparison.js'
import { introduction } from './scenes/introduction.js'
import { reminder } from './scenes/reminder.js'
import type { Scene } from './scenes/scene.js'
import { anythingElse, farewell, greeting, thanks, wellBeing, whatItCanDo } from './scenes/small-talk.js'
import { dueReview, weeklyReview } from './scenes/weekly-review.js'

/** The script of the demo: the first scene that fits is played. */
export const script: readonly Scene[] = [
  dueReview,
  introduction,
  chart,
  checklist,
  comparison,
  weeklyReview,
  reminder,
  attachedFile,
  clock,
  greeting,
  wellBeing,
  thanks,
  farewell,
  whatItCanDo,
  anythingElse,
]

import { idOf } from '../common/ids.js'
import { normalText } from '../common/text.js'

/** How a model may name the person whose memory it is. */
const selfNames = new Set(['the person', 'person', 'the user', 'user', 'i', 'me', 'myself', 'self'])

/** The title of the page about the person. */
export const selfTitle = 'The person'

export const isSelf = (subject: string): boolean => selfNames.has(normalText(subject))

/** Subjects of one name are one. */
export const subjectKey = (subject: string): string => (isSelf(subject) ? normalText(selfTitle) : normalText(subject))

/** The page about the person in memories of one scope. */
export const selfPageId = (userId: string, scope: string): string => idOf(userId, 'self', scope)

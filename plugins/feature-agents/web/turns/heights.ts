/** Heights, in pixels, that stand for turns, by the first message of each. */
export type Heights = ReadonlyMap<string, number>

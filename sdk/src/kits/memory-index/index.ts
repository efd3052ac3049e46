/**
 * Finds the texts of each user: by their words, and by their meaning where a model makes vectors.
 *
 * @packageDocumentation
 */
export { type FusedRank, fuseRanks } from './fuse-ranks.js'
export { changedLeading, type Leading, type LeadingOptions, leadingOf } from './leading/leading.js'
export {
  createIndexCache,
  type IndexCache,
  type IndexCacheOptions,
  type MemoryIndexChange,
  type StoredMemories,
} from './lexical/index-cache.js'
export {
  buildMemoryIndex,
  createMemoryIndex,
  type MemoryDocument,
  type MemoryIndex,
  type MemoryMatch,
  type MemorySearchOptions,
} from './lexical/memory-index.js'
export { createMemorySearch, type MemorySearch } from './memory-search.js'
export { queryTermsOf, termsOf } from './terms/terms.js'
export { createVectorSearch, type VectorSearch, type VectorSearchOptions } from './vectors/vector-search.js'
export type { StoredVector, VectorStore } from './vectors/vector-store.js'

import type { OntologyTerm } from './ontology.js'

/** The terms of a file, or the first thing that is wrong with it. */
export type ParsedFile = { readonly terms: readonly OntologyTerm[] } | { readonly line: number; readonly problem: string }

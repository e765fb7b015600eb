/** Every public read, once. Adding one here adds it to REST and to every description made from the registry. */

import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { getCommunityLanding } from '../../readmodels/landing/public-reads.js'
import { getCreatorFollowers, getCreatorFollowing, getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import { getAppShare } from '../../readmodels/shares/public-reads.js'
import { getPopularTags } from '../../readmodels/tags/public-reads.js'
import { checkDeprecationNotice, type Operation, pathParameters } from '../contract/operation.js'

export const publicReads: readonly Operation[] = validateOperations([
  getCommunityFeed,
  getPopularTags,
  getCommunityLanding,
  getCreatorProfile,
  getCreatorFollowers,
  getCreatorFollowing,
  getAppShare,
])

/** All that any of them reads. */
export const READ_MODELS: readonly string[] = [...new Set(publicReads.flatMap(({ models }) => models))]

/** The promises a registry must keep, whatever is added to it. */
export function validateOperations(list: readonly Operation[]): readonly Operation[] {
  for (const { name, operationId, path, input, deprecated } of list) {
    if (list.filter((other) => other.name === name).length > 1) throw new Error(`two operations are called ${name}`)
    if (list.filter((other) => other.operationId === operationId).length > 1) throw new Error(`two operations have the id ${operationId}`)
    if (list.filter((other) => other.path === path).length > 1) throw new Error(`two operations answer on ${path}`)
    const unknown = pathParameters(path).find((parameter) => !(parameter in input.shape))
    if (unknown !== undefined) throw new Error(`${name} has {${unknown}} in its path but not in its input`)
    checkDeprecationNotice(name, deprecated)
  }
  return list
}

import type { Operations } from './api.js'
import type { OperationTable } from './operation-types.js'

/** Where the built-in reads are. */
export const operations: OperationTable<Operations> = {
  getCommunityFeed: { name: 'get_community_feed', path: '/public/share/community' },
  getPopularTags: { name: 'get_popular_tags', path: '/public/share/tags' },
  getCommunityLanding: { name: 'get_community_landing', path: '/public/share/community/landing' },
  getCreatorProfile: { name: 'get_creator_profile', path: '/public/share/user/{handle}' },
  getCreatorFollowers: { name: 'get_creator_followers', path: '/public/share/user/{handle}/followers' },
  getCreatorFollowing: { name: 'get_creator_following', path: '/public/share/user/{handle}/following' },
  getAppShare: { name: 'get_app_share', path: '/public/share/app/{handle}/{slug}' },
}

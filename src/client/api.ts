// Printed by "vitrine client" from the OpenAPI document. Do not edit.

import type { OperationTable } from './operation-types.js'

/** Everything a share page shows of one creation. */
export interface AppShare {
  id: string
  slug: string
  /** Public address: the handle is the subdomain, the slug the path. */
  url: string
  kind: 'app' | 'game' | 'tracker' | 'widget' | 'experience'
  title: string
  description: string
  category: string
  tags: string[]
  coverUrl: string | null
  featured: boolean
  creator: CreatorCard
  stats: { likes: number; remixes: number; plays: number }
  /** The original, while it is public. */
  remixOf: { handle: string; slug: string; title: string } | null
  publishedAt: string
  updatedAt: string
  /** The most liked public remixes, at most 12. */
  remixes: Creation[]
  /** The ten best scores: higher first, then earlier. */
  leaderboard: { handle: string | null; displayName: string | null; score: number; achievedAt: string }[]
  share: { title: string; description: string; imageUrl: string | null; url: string }
}

/** Where a part of the answer can be read. */
export interface AskCitation {
  /** Stable name of the passage. */
  id: string
  title: string
  /** A page on which the snippet can be read. */
  url: string
  /** Holds every number and name of the answer that comes from here. */
  snippet: string
}

/** The last event of a streamed answer. */
export interface AskCompleteEvent {
  query_id: string
  answer: string
  citations: AskCitation[]
  _meta: {
    /** `answer`; `elicitation` when nothing was asked; `failure` when nothing public answers the question. */
    response_type: 'answer' | 'elicitation' | 'promise' | 'failure'
    version: string
    mode: 'list' | 'summarize' | 'generate'
    /** Language of the answer. */
    locale: string
    /** Log position the live part of the answer reflects; null where there is none. */
    position: number | null
    /** With `debug` in the request. */
    debug?: AskDebug | undefined
    /** How many results came before. */
    total_items: number
  }
  message_type: 'complete'
}

/** Why an answer comes from where it does. Its fields may change. */
export interface AskDebug {
  /** Where the answer comes from. */
  source: 'documentation' | 'community' | 'none'
  /** How much of the question the best passage covers, from 0 to 1. */
  passage: number | null
  /** How much of the question the best creation holds; null where none was looked up. */
  search: number | null
}

/** The last event of a stream that failed: the error envelope. */
export interface AskFailureEvent {
  /** Never 0: the HTTP status times one hundred, plus a sub-code. */
  code: number
  /** For people. Do not parse it. */
  message: string
  /** For programs. */
  error: 'invalid_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'validation_failed' | 'rate_limited' | 'internal_error' | 'upstream_unavailable' | 'timeout'
  /** Whether the same request may succeed later. */
  retryable: boolean
  request_id: string
  /** Which fields are wrong, and why. */
  details?: { path: string; message: string }[] | undefined
  message_type: 'complete'
  _meta: {
    version: string
    mode: 'list' | 'summarize' | 'generate'
    /** Language of the answer. */
    locale: string
    response_type: 'failure'
    /** How many results came before. */
    total_items: number
  }
}

/** A question in natural language. Every field is optional. */
export interface AskRequest {
  /** The question, as people ask it. */
  query?: string | { text?: string | null | undefined; site?: string | null | undefined } | null | undefined
  prefer?: {
    /** True: the answer is sent as server-sent events. */
    streaming?: boolean | 'true' | 'false' | null | undefined
    mode?: 'list' | 'summarize' | 'generate' | null | undefined
    response_format?: string | null | undefined
    /** Language of the answer, a BCP-47 tag. Without one the language in the path decides, then that of the question. */
    'accept-language'?: string | null | undefined
  } | null | undefined
  context?: {
    /** Earlier questions, the oldest first. */
    prev?: string | string[] | null | undefined
    text?: string | null | undefined
  } | null | undefined
  /** Older form of `context.prev`. */
  prev?: string | string[] | null | undefined
  /** Comes back in the answer. */
  query_id?: string | null | undefined
  /** Older form of `prefer.streaming`. */
  streaming?: boolean | 'true' | 'false' | null | undefined
  mode?: 'list' | 'summarize' | 'generate' | null | undefined
  /** True: `_meta.debug` of the answer shows how well documentation and community fit the question. */
  debug?: boolean | 'true' | 'false' | null | undefined
}

/** A grounded answer with its citations. */
export interface AskResponse {
  query_id: string
  answer: string
  citations: AskCitation[]
  results: AskResult[]
  _meta: {
    /** `answer`; `elicitation` when nothing was asked; `failure` when nothing public answers the question. */
    response_type: 'answer' | 'elicitation' | 'promise' | 'failure'
    version: string
    mode: 'list' | 'summarize' | 'generate'
    /** Language of the answer. */
    locale: string
    /** Log position the live part of the answer reflects; null where there is none. */
    position: number | null
    /** With `debug` in the request. */
    debug?: AskDebug | undefined
  }
}

/** Something the answer is about, as a schema.org object. */
export interface AskResult {
  '@context': 'https://schema.org'
  '@type': string
  name: string
  url: string
  [key: string]: unknown
}

/** One of the results of a streamed answer. */
export interface AskResultEvent { message_type: 'result'; index: number; item: AskResult }

/** The first event of a streamed answer. */
export interface AskStartEvent {
  message_type: 'start'
  _meta: {
    version: string
    mode: 'list' | 'summarize' | 'generate'
    /** Language of the answer. */
    locale: string
    streaming: true
  }
}

/** A question that is answered in the background. */
export interface AsyncAskJob {
  job_id: string
  status: 'queued' | 'running' | 'completed' | 'failed'
  /** Where to ask how it stands: at most every five seconds, until it is completed or failed. */
  status_url: string
  created_at: string
  updated_at: string
}

/** How an ask job stands. Known for 24 hours. */
export interface AsyncAskJobStatus {
  job_id: string
  status: 'queued' | 'running' | 'completed' | 'failed'
  /** Where to ask how it stands: at most every five seconds, until it is completed or failed. */
  status_url: string
  created_at: string
  updated_at: string
  /** Once completed. */
  result?: AskResponse | undefined
  /** Once failed. */
  error?: {
    code: number
    error: 'invalid_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'validation_failed' | 'rate_limited' | 'internal_error' | 'upstream_unavailable' | 'timeout'
    message: string
  } | undefined
}

/** One page of the community feed. */
export interface CommunityFeedPage {
  items: Creation[]
  hasMore: boolean
  /** All creations that match, exactly. By relevance: those that were found, at most 1,000. */
  total: number
  /** Pass unchanged as `cursor` to get the next page; null on the last page. */
  next_cursor: string | null
  /** With `q`, on the first page: up to five creators whose name or handle it holds. Otherwise empty. */
  creators: CreatorCard[]
  pagination: {
    limit: number
    /** The order of this page. */
    sort: 'relevance' | 'trending' | 'recent' | 'popular' | 'remixed' | 'liked'
    returned: number
    /** Pass unchanged as `cursor` to get the next page; null on the last page. */
    next_cursor: string | null
    has_more: boolean
  }
}

/** Spotlight, themed rails and category tiles. */
export interface CommunityLanding {
  spotlight: Creation[]
  rails: { key: 'trending' | 'recent' | 'remixed' | 'liked' | 'featured'; title: string; items: Creation[] }[]
  categories: { slug: string; label: string; count: number; coverUrl: string | null }[]
}

/** A public creation, in the best available language. */
export interface Creation {
  id: string
  slug: string
  /** Public address: the handle is the subdomain, the slug the path. */
  url: string
  kind: 'app' | 'game' | 'tracker' | 'widget' | 'experience'
  title: string
  description: string
  category: string
  tags: string[]
  coverUrl: string | null
  featured: boolean
  creator: CreatorCard
  stats: { likes: number; remixes: number; plays: number }
  /** The original, while it is public. */
  remixOf: { handle: string; slug: string; title: string } | null
  publishedAt: string
  updatedAt: string
}

/** A creator as shown beside a creation. */
export interface CreatorCard { handle: string; displayName: string; avatarUrl: string | null }

/** A preview of followers or followed creators, newest first. */
export interface CreatorList {
  items: {
    /** Null for a person without a public profile. */
    handle: string | null
    displayName: string | null
    avatarUrl: string | null
    url: string | null
    since: string
  }[]
  total: number
  limit: number
}

/** A public creator profile with aggregate stats, public apps and top scores. */
export interface CreatorProfile {
  handle: string
  displayName: string
  bio: string
  avatarUrl: string | null
  url: string
  links: { label: string; url: string }[]
  joinedAt: string
  stats: {
    apps: number
    likes: number
    remixes: number
    plays: number
    followers: number
    following: number
  }
  /** The newest public creations, at most 48. */
  apps: Creation[]
  topScores: { handle: string; slug: string; title: string; score: number; achievedAt: string }[]
}

/** The error envelope. */
export interface ErrorEnvelope {
  /** Never 0: the HTTP status times one hundred, plus a sub-code. */
  code: number
  /** For people. Do not parse it. */
  message: string
  /** For programs. */
  error: 'invalid_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'validation_failed' | 'rate_limited' | 'internal_error' | 'upstream_unavailable' | 'timeout'
  /** Whether the same request may succeed later. */
  retryable: boolean
  request_id: string
  /** Which fields are wrong, and why. */
  details?: { path: string; message: string }[] | undefined
}

/** The most used tags, most frequent first. */
export interface PopularTags {
  items: { key: string; label: string; count: number }[]
  /** How many different tags are in use. */
  total: number
}

/** How the service stands, its limits, and what to do about 429 and 5xx. */
export interface ServiceStatus {
  /** Degraded: at least one component is not ok. What can be answered is answered. */
  status: 'ok' | 'degraded'
  api_version: string
  checked_at: string
  components: {
    name: string
    kind: 'event log' | 'projection' | 'ask jobs'
    status: 'ok' | 'behind' | 'degraded' | 'loading' | 'unavailable'
    /** Of a projection: what it does. All but live mean that new events do not reach readers. */
    state?: 'live' | 'loading' | 'retrying' | 'stopped' | 'stalled' | 'leaderless' | 'outdated' | 'missing' | 'unknown' | undefined
    /** How much of the event log it holds; null when it cannot be reached. */
    position?: number | null | undefined
    /** Events that are not in it yet. */
    lag?: number | null | undefined
    /** How long the oldest of them has been in the log. */
    lag_s?: number | null | undefined
    /** How many creations, creators and so on have an event that it could not take in. */
    parked?: number | undefined
    /** What is known of events that have not come, came late, or came again. */
    sequences?: {
      /** How many creations, creators and so on miss events. */
      gaps: number
      /** Missing events of those that miss too many. */
      given_up: number
      /** Events that came late. */
      late: number
      /** Events that came again. */
      duplicates: number
      /** Different events that claim the same place. */
      conflicts: number
    } | undefined
    jobs?: {
      queued: number
      running: number
      /** Of the last day. */
      completed: number
      /** Of the last day. */
      failed: number
      retried: number
      oldest_queued_s: number
      oldest_running_s: number
    } | null | undefined
  }[]
  limits: {
    /** Per caller; null when there is no limit. */
    public: { requests: number; window_s: number } | null
    /** Per caller; null when there is no limit. */
    agent: { requests: number; window_s: number } | null
    /** Per caller; null when there is no limit. */
    mcp: { requests: number; window_s: number } | null
    batch: { max_operations: number }
    ask_jobs: { poll_after_s: number; kept_s: number }
  }
  /** When to try again, and how. */
  retry: {
    rate_limited: { statuses: number[]; wait_for: string[] }
    transient: {
      statuses: number[]
      backoff: {
        strategy: string
        jitter: string
        initial_ms: number
        multiplier: number
        cap_ms: number
        max_attempts: number
      }
    }
    not_retryable: { statuses: number[] }
    guidance: string
  }
}

/** The arguments and the result of every public read. */
export interface Operations {
  /** Public creations, a page at a time. The first page is requested without `cursor`; pass `data.next_cursor` unchanged to get the next one, until `hasMore` is false. An unknown category or tag is an empty page. */
  getCommunityFeed: {
    arguments: {
      /** Language of titles and descriptions, a BCP-47 tag. Falls back to the nearest one there is. Default: "en". */
      locale?: string | undefined
      /** Order of the feed, highest first. Default: `trending`; with `q`, `relevance`, where any word may match and better matches come first. Without `q`, `relevance` is `trending`. */
      sort?: 'relevance' | 'trending' | 'recent' | 'popular' | 'remixed' | 'liked' | undefined
      /** Only this category (slug). */
      category?: string | undefined
      /** Only creations with this tag (key). */
      tag?: string | undefined
      /** Full-text search in titles, tags and descriptions. By relevance any word may match, in another form or slightly misspelled; in any other order every word must occur, small words aside. */
      q?: string | undefined
      /** The last word of `q` may be the beginning of a word: for searches while somebody types. Default: false. */
      prefix?: boolean | undefined
      /** Only creations chosen by the editors. Default: false. */
      featuredOnly?: boolean | undefined
      /** `next_cursor` of the page before, unchanged. Bound to the same sort, filters and text. */
      cursor?: string | undefined
      /** Creations per page. Default: 24. */
      limit?: number | undefined
    }
    result: CommunityFeedPage
  }
  /** The 100 most used tags with the number of public creations that carry each, most frequent first. */
  getPopularTags: { arguments: { [key: string]: never }; result: PopularTags }
  /** A composite for a front page: spotlight, rails for trending, recent, remixed, liked and featured, and category tiles. */
  getCommunityLanding: {
    arguments: {
      /** Language of titles and descriptions, a BCP-47 tag. Falls back to the nearest one there is. Default: "en". */
      locale?: string | undefined
    }
    result: CommunityLanding
  }
  /** Public profile, aggregate stats, public apps (newest first) and top scores of one creator. */
  getCreatorProfile: {
    arguments: {
      /** Creator handle: the subdomain label of the public address, compared without case. */
      handle: string
      /** Language of titles and descriptions, a BCP-47 tag. Falls back to the nearest one there is. Default: "en". */
      locale?: string | undefined
    }
    result: CreatorProfile
  }
  /** A preview of who follows a creator, newest first. */
  getCreatorFollowers: {
    arguments: {
      /** Creator handle: the subdomain label of the public address, compared without case. */
      handle: string
      /** How many creators to list. Default: 24. */
      limit?: number | undefined
    }
    result: CreatorList
  }
  /** A preview of whom a creator follows, newest first. */
  getCreatorFollowing: {
    arguments: {
      /** Creator handle: the subdomain label of the public address, compared without case. */
      handle: string
      /** How many creators to list. Default: 24. */
      limit?: number | undefined
    }
    result: CreatorList
  }
  /** Public share data of one creation: the creation, its most liked remixes, its leaderboard and what a link preview shows. */
  getAppShare: {
    arguments: {
      /** Creator handle: the subdomain label of the public address, compared without case. */
      handle: string
      /** App slug: the path of the public address. */
      slug: string
      /** Language of titles and descriptions, a BCP-47 tag. Falls back to the nearest one there is. Default: "en". */
      locale?: string | undefined
    }
    result: AppShare
  }
}

/** Where each of them is. For `createClient`. */
export const operations: OperationTable<Operations> = {
  getCommunityFeed: { name: 'get_community_feed', path: '/public/share/community' },
  getPopularTags: { name: 'get_popular_tags', path: '/public/share/tags' },
  getCommunityLanding: { name: 'get_community_landing', path: '/public/share/community/landing' },
  getCreatorProfile: { name: 'get_creator_profile', path: '/public/share/user/{handle}' },
  getCreatorFollowers: { name: 'get_creator_followers', path: '/public/share/user/{handle}/followers' },
  getCreatorFollowing: { name: 'get_creator_following', path: '/public/share/user/{handle}/following' },
  getAppShare: { name: 'get_app_share', path: '/public/share/app/{handle}/{slug}' },
}

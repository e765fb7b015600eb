import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** A service of compose.yaml, as far as tests look at it. */
export interface Service {
  image?: string
  build?: string
  profiles?: string[]
  environment?: Record<string, string>
  healthcheck?: { test?: string[] }
  volumes?: string[]
  ports?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  restart?: string
  deploy?: { replicas: number }
  entrypoint?: string[]
  command?: string[]
}

interface Compose {
  services: Record<string, Service>
  volumes: Record<string, unknown>
}

export const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as Compose
export const services = Object.entries(compose.services)

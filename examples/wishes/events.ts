import { CreationId, CreatorId, event, id, text, z } from 'vitrine'

export const made = event({
  name: 'wish.made',
  summary: 'A person wishes for something like a creation.',
  schema: z.object({ wishId: id, creatorId: CreatorId, creationId: CreationId, note: text(200) }),
  example: { wishId: 'w_1', creatorId: 'u_7', creationId: 'c_81', note: 'The same for the river' },
})

export const granted = event({
  name: 'wish.granted',
  summary: 'A wish came true.',
  schema: z.object({ wishId: id }),
  example: { wishId: 'w_1' },
})

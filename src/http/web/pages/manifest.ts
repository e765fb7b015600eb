/** Lets a phone put the gallery among its apps. */
export const manifest = (assets: { path(name: string): string }): string =>
  JSON.stringify({
    name: 'Vitrine',
    short_name: 'Vitrine',
    start_url: '/',
    display: 'standalone',
    background_color: '#faf8f4',
    theme_color: '#faf8f4',
    icons: [
      { src: assets.path('icon.svg'), sizes: 'any', type: 'image/svg+xml' },
      { src: assets.path('icon-192.png'), sizes: '192x192', type: 'image/png' },
    ],
  })

import { contentFamily } from './support/content-family.ts'

export default contentFamily('http.contents')

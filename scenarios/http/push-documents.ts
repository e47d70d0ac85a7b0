import { pushDocumentFamily } from './support/push-document-family.ts'

export default pushDocumentFamily('http.push-documents')

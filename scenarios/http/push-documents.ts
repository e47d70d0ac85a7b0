import { pushDocumentFamily } from '../../conformance/dsl.ts'

export default pushDocumentFamily('http.push-documents')

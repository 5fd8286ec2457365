import NIOHTTP1

/// The text of a trace, without secrets.
enum TraceText {
    private static let secretHeaders: Set<String> = [
        "authorization", "cookie", "set-cookie", "proxy-authorization", "sec-websocket-protocol",
    ]

    /// The headers, one per line.
    static func headers(_ headers: HTTPHeaders) -> String {
        headers.map { header in
            let isSecret = secretHeaders.contains(header.name.lowercased())
            return "\n    \(header.name): " + (isSecret ? "(hidden)" : url(header.value))
        }.joined()
    }

    /// A text that may contain URLs, without passwords before a host, and without the values of parameters that grant
    /// access.
    static func url(_ text: String) -> String {
        let userInfo = /:\/\/[^\/?#@\s]*@/.matchingSemantics(.unicodeScalar)
        let parameter =
            /(?i)([?&](?:access_token|refresh_token|token|password|code|client_secret|signature|sig|x-amz-[a-z-]+)=)[^&#>\s]*/
            .matchingSemantics(.unicodeScalar)
        return text.replacing(userInfo, with: "://(hidden)@").replacing(parameter) { "\($0.1)(hidden)" }
    }
}

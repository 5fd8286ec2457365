import HTTPTypes

/// Security headers of every response.
enum SecurityHeaders {
    /// Over TLS, browsers use only https for one year (RFC 6797).
    private static let strictTransport = HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")
    private static let noSniffing = HTTPField(name: .contentTypeOptions, value: "nosniff")
    private static let sameOrigin = HTTPField(name: .referrerPolicy, value: "same-origin")

    static func add(to headers: inout HTTPFields, isEncrypted: Bool) {
        headers.append(noSniffing)
        if isEncrypted { headers.append(strictTransport) }
        if !headers.contains(where: { $0.name == .referrerPolicy }) { headers.append(sameOrigin) }
    }
}

/// Something that happened to a connection, as far as its host is concerned.
enum HostEvent: Sendable, Equatable {
    /// The first response on a connection; after a redirect, `host` is another one than requested.
    case responded(host: String, requestedFrom: String, seconds: Double)
    case closed(host: String, hadResponse: Bool)
    /// The host asked for fewer requests.
    case throttled(host: String)
}

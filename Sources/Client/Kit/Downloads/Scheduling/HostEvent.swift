/// An event on a connection that affects the limit of its host.
enum HostEvent: Sendable, Equatable {
    /// The first response on a connection. After a redirect, `host` differs from the requested host.
    case responded(host: String, requestedFrom: String, seconds: Double)
    case closed(host: String, hadResponse: Bool)
    /// The host asked for fewer requests.
    case throttled(host: String)
}

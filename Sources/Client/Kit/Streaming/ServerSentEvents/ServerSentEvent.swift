/// An event of a stream in the format of server-sent events (WHATWG HTML §9.2).
struct ServerSentEvent: Equatable, Sendable {
    /// `message` if the server sent no type.
    var type: String
    var data: String
    /// The last id that the server has sent, with this event or before it; empty if there was none.
    var id: String
}

/// A picture as encoded bytes: an avatar, or any other picture from an ``AvatarCache``.
public struct AvatarImage: Sendable, Equatable {
    /// The origin of a picture.
    public enum Source: String, Sendable {
        case memory, disk
        /// Cached, and confirmed by the server.
        case revalidated
        case network
    }

    public let bytes: [UInt8]
    /// The type as detected from the bytes.
    public let type: AvatarType
    public let source: Source

    public init(bytes: [UInt8], type: AvatarType, source: Source) {
        self.bytes = bytes
        self.type = type
        self.source = source
    }
}

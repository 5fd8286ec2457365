/// A picture, as its bytes: nothing is decoded.
public struct AvatarImage: Sendable, Equatable {
    /// Where a picture came from.
    public enum Source: String, Sendable {
        case memory, disk
        /// Kept here, and the server said that it is still the same.
        case revalidated
        case network
    }

    public let bytes: [UInt8]
    /// What the bytes are, whatever the server called them.
    public let type: AvatarType
    public let source: Source

    public init(bytes: [UInt8], type: AvatarType, source: Source) {
        self.bytes = bytes
        self.type = type
        self.source = source
    }
}

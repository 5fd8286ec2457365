extension AvatarCache {
    /// How much an ``AvatarCache`` may take.
    public struct Limits: Sendable {
        /// Bytes of pictures in memory.
        public var memoryBytes = 8 << 20
        /// Bytes of pictures on disk.
        public var diskBytes: Int64 = 64 << 20
        /// Bytes of a single picture.
        public var pictureBytes = 5 << 20
        /// Requests at the same time.
        public var requests = 6
        /// Seconds a picture that is not here may take to come.
        public var requestSeconds: Int64 = 30
        /// Seconds to wait for news about a picture that is here, but old, before the old one is shown.
        public var revalidationSeconds: Int64 = 5

        public init() {}
    }
}

import FeedCore
import NIOPosix

extension NIOThreadPool {
    /// The number of blobs that are read at the same time.
    private static let parallelBlobs = 4

    /// Calls `body` for several blobs at the same time, on the threads of the pool.
    /// - Returns: The results in the order of `blobs`.
    func inParallel<Value: Sendable>(
        _ blobs: [BlobReference], _ body: @escaping @Sendable (BlobReference) throws -> Value
    ) async throws -> [Value] {
        var values = [Value?](repeating: nil, count: blobs.count)
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for (index, blob) in blobs.enumerated() {
                if index >= Self.parallelBlobs, let (done, value) = try await group.next() { values[done] = value }
                group.addTask { [self] in (index, try await runIfActive { try body(blob) }) }
            }
            for try await (done, value) in group { values[done] = value }
        }
        return values.compactMap(\.self)
    }
}

/// Commands that show pictures. The client leaves out a picture that has not been decoded after some seconds, as it may
/// happen on a busy machine.
enum PictureTime {
    /// How long the client waits for a picture (`PictureDecoder`).
    private static let limit = Duration.seconds(5)
    private static let maximumAttempts = 20

    /// Runs a command, and repeats it if it has not shown its pictures and took so long that this may be the reason.
    static func repeating<Value>(
        _ command: () async throws -> Value, until isShown: (Value) -> Bool
    ) async throws -> Value {
        for _ in 1..<maximumAttempts {
            let start = ContinuousClock.now
            let value = try await command()
            if isShown(value) || ContinuousClock.now - start < limit { return value }
        }
        return try await command()
    }
}

import FeedCore
import NIOCore
import NIOHTTP2

/// The limits of an HTTP/2 connection, which NIOHTTP2 enforces: exceeding one of them ends the connection.
enum HTTP2Limits {
    /// Requests at the same time.
    static let streams = 100
    /// CONTINUATION frames that follow one another.
    static let continuations = 5
    /// RST_STREAM frames of the client in 30 seconds (rapid reset).
    static let resets = 200
    /// Streams that the server must reset because the client violates the protocol, during the whole connection.
    static let streamErrors = 100
    /// PING, SETTINGS and PRIORITY frames in 30 seconds.
    static let controlFrames = 200
    /// Empty DATA frames that follow one another.
    static let emptyDataFrames = 5
    /// Frames that wait because the client does not read.
    static let bufferedControlFrames = 1000
    /// Bytes of a request body that a client may send before the server reads them.
    static let streamWindow = 256 * 1024
    static let connectionWindow = 1024 * 1024

    static func configuration(_ limits: ConnectionLimits) -> NIOHTTP2Handler.Configuration {
        NIOHTTP2Handler.Configuration(connection: connection(limits), stream: stream)
    }

    private static let period = TimeAmount.seconds(30)

    private static func connection(_ limits: ConnectionLimits) -> NIOHTTP2Handler.ConnectionConfiguration {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streams),
            // The decoded fields of a request, each with 32 bytes of overhead (RFC 9113 §10.5.1).
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headBytes),
        ]
        connection.maximumSequentialContinuationFrames = continuations
        connection.maximumSequentialEmptyDataFrames = emptyDataFrames
        connection.maximumBufferedControlFrames = bufferedControlFrames
        // Frames that were under way when the server ended a stream are no violation.
        connection.maximumRecentlyResetStreams = streams
        connection.maximumConnectionGlitches = streamErrors
        connection.controlFrameRateLimit.maximumCount = controlFrames
        connection.controlFrameRateLimit.windowLength = period
        connection.targetWindowSize = connectionWindow
        return connection
    }

    private static var stream: NIOHTTP2Handler.StreamConfiguration {
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = streamWindow
        stream.outboundBufferSizeHighWatermark = 32 * 1024
        stream.outboundBufferSizeLowWatermark = 16 * 1024
        stream.streamResetFrameRateLimit.maximumCount = resets
        stream.streamResetFrameRateLimit.windowLength = period
        stream.streamErrorRateLimit.maximumCount = streamErrors
        stream.streamErrorRateLimit.windowLength = period
        return stream
    }
}

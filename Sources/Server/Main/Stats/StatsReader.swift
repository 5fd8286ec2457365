import Foundation

/// Asks running servers for their figures.
enum StatsReader {
    private static let maximumBytes = 1 << 16

    /// The figures of all servers of a data folder on this machine, in no particular order.
    static func read(data: String) -> [ServerStats] {
        StatsSocket.all(in: data).compactMap { socket in
            guard let descriptor = socket.connect() else { return nil }
            defer { close(descriptor) }
            return try? JSONDecoder().decode(ServerStats.self, from: contents(descriptor))
        }
    }

    /// Everything that the server sends until it closes the connection.
    private static func contents(_ descriptor: Int32) -> Data {
        var (contents, block) = (Data(), [UInt8](repeating: 0, count: 4096))
        while contents.count < maximumBytes {
            let count = recv(descriptor, &block, block.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            contents.append(contentsOf: block[..<count])
        }
        return contents
    }
}

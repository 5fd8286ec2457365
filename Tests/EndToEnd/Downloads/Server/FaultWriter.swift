import Foundation

/// Sends a response with its faults.
struct FaultWriter {
    /// Called before a piece of the body is sent, with its offset in the file and its bytes. Returns the bytes to send,
    /// or `nil` to stop sending.
    typealias Counting = (_ at: Int, _ bytes: Data) -> Data?

    /// The limits of endless responses, so that a client that accepts them does not fill the disk.
    private static let longestBody = 256 << 20
    private static let longestHead = 16 << 20

    private let response: FaultResponse
    private let isHead: Bool

    init(_ response: FaultResponse, isHead: Bool) {
        self.response = response
        self.isHead = isHead
    }

    /// The state of the connection after a response.
    enum After { case keepOpen, close, reset }

    func run(on connection: FaultConnection, _ counting: Counting) -> After {
        switch response.ending {
        case .silence: return .close
        case .endlessHead: return sendEndlessHead(connection)
        case .drippingHead: return sendDrippingHead(connection)
        case .stalledHead(let count):
            if connection.send(Data(head.utf8.prefix(count))) { _ = connection.wait(milliseconds: -1) }
            return .close
        default: break
        }
        guard connection.send(Data(head.utf8)) else { return .close }
        if isHead { return .keepOpen }
        guard sendBody(connection, counting) else { return .close }
        return end(connection, counting)
    }

    private var head: String {
        var response = response
        switch response.framing {
        case .length: response["Content-Length"] = response["Content-Length"] ?? String(response.body.count)
        case .chunked: response["Transfer-Encoding"] = response["Transfer-Encoding"] ?? "chunked"
        case .close: response["Connection"] = "close"
        }
        let lines =
            [response.preface + "HTTP/1.1 \(response.status) Response"]
            + response.headers.map { "\($0.name): \($0.value)" }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The number of bytes of the body to send before the fault occurs.
    private var limit: Int {
        switch response.ending {
        case .cut(let count, _), .stall(let count): min(count, response.body.count)
        default: response.body.count
        }
    }

    private func sendBody(_ connection: FaultConnection, _ counting: Counting) -> Bool {
        var at = response.body.startIndex
        let end = at + limit
        while at < end {
            let piece = response.body[at..<min(end, at + response.piece)]
            guard let bytes = counting(at, piece) else { return connection.wait(milliseconds: -1) }
            guard send(bytes, connection) else { return false }
            at += piece.count
            if response.pause > 0, at < end, !connection.wait(milliseconds: response.pause) { return false }
        }
        return true
    }

    private func send(_ bytes: Data, _ connection: FaultConnection) -> Bool {
        guard response.framing == .chunked else { return connection.send(bytes) }
        return connection.send(Data("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Data("\r\n".utf8))
    }

    private func end(_ connection: FaultConnection, _ counting: Counting) -> After {
        switch response.ending {
        case .cut(_, reset: true): return .reset
        case .stall: _ = connection.wait(milliseconds: -1)
        case .endless: sendForEver(connection, counting)
        case .clean where response.framing == .chunked:
            return connection.send(Data("0\r\n\r\n".utf8)) ? .keepOpen : .close
        case .clean: return response.framing == .length && isLengthTrue ? .keepOpen : .close
        default: break
        }
        return .close
    }

    /// After a wrong length, the start of the next response is unknown.
    private var isLengthTrue: Bool { response["Content-Length"].map { Int($0) == response.body.count } ?? true }

    private func sendForEver(_ connection: FaultConnection, _ counting: Counting) {
        let block = Data(repeating: 0x55, count: 64 << 10)
        for _ in 0..<Self.longestBody / block.count {
            guard let bytes = counting(response.body.endIndex, block), send(bytes, connection) else { return }
        }
    }

    private func sendDrippingHead(_ connection: FaultConnection) -> After {
        var isConnected = connection.send(Data("HTTP/1.1 200 Response\r\nX-Drip: ".utf8))
        while isConnected { isConnected = connection.wait(milliseconds: 100) && connection.send(Data("x".utf8)) }
        return .close
    }

    private func sendEndlessHead(_ connection: FaultConnection) -> After {
        let block = Data(String(repeating: "X-Filler: \(String(repeating: "y", count: 1012))\r\n", count: 16).utf8)
        var left = connection.send(Data("HTTP/1.1 200 Response\r\n".utf8)) ? Self.longestHead / block.count : 0
        while left > 0, connection.send(block) { left -= 1 }
        _ = connection.wait(milliseconds: -1)
        return .close
    }
}

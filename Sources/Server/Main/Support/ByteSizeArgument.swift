public import ArgumentParser
public import FeedTerminal

extension ByteSize: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }

    public var defaultValueDescription: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : "\(bytes)" }
}

/// Refusals of files that members upload.
enum MediaErrorTranslations {
    static let all: [ErrorTranslation] = [
        ErrorTranslation("The file is empty", "Die Datei ist leer", "文件为空"),
        ErrorTranslation("The file is incomplete", "Die Datei ist unvollständig", "文件不完整"),
        ErrorTranslation("Upload it again.", "Lade sie noch einmal hoch.", "请重新上传。"),
        // The format states what is wrong.
        ErrorTranslation("The file is damaged: {}", "Die Datei ist beschädigt ({})", "文件已损坏（{}）"),
        ErrorTranslation(
            "Open it in another program and save it again.",
            "Öffne sie in einem anderen Programm und speichere sie noch einmal.",
            "请用其他程序打开并重新保存。"),
        ErrorTranslation("The file could not be processed", "Die Datei konnte nicht verarbeitet werden", "无法处理此文件"),
        ErrorTranslation(
            "Upload it again, or another file.", "Lade sie noch einmal hoch, oder eine andere.", "请重新上传，或换一个文件。"),
        ErrorTranslation(
            "It takes too long to decode. Save it in another format, or with fewer pixels.",
            "Das Dekodieren dauert zu lange. Speichere sie in einem anderen Format oder mit weniger Pixeln.",
            "解码时间过长。请以其他格式或较少的像素保存。"),
        ErrorTranslation(
            "Too many images are being processed", "Zurzeit werden zu viele Bilder verarbeitet", "正在处理的图片过多"),
        ErrorTranslation(
            "The upload could not be stored", "Die Datei konnte nicht gespeichert werden", "无法保存上传的文件"),
        ErrorTranslation("Upload the file again.", "Lade die Datei noch einmal hoch.", "请重新上传此文件。"),
        ErrorTranslation(
            "Media {} not found or already attached to another post",
            "Die Datei {} gibt es nicht, oder sie gehört schon zu einem anderen Beitrag",
            "媒体 {} 不存在，或已附加到其他嘟文"),

        // Formats
        ErrorTranslation(
            "Files of the type {} are not supported", "Dateien vom Typ {} werden nicht unterstützt", "不支持 {} 类型的文件"),
        ErrorTranslation("The format of the file is unknown", "Das Format der Datei ist unbekannt", "文件格式未知"),
        ErrorTranslation(
            "Use a JPEG, PNG, WebP or GIF image, an MP4 or WebM video, or an MP3 or Ogg audio file.",
            "Verwende ein Bild in JPEG, PNG, WebP oder GIF, ein Video in MP4 oder WebM oder eine Aufnahme in MP3 oder Ogg.",
            "请使用 JPEG、PNG、WebP 或 GIF 图片，MP4 或 WebM 视频，或者 MP3 或 Ogg 音频。"),
        ErrorTranslation(
            "Use a JPEG, PNG, WebP or GIF image.", "Verwende ein Bild in JPEG, PNG, WebP oder GIF.",
            "请使用 JPEG、PNG、WebP 或 GIF 图片。"),
        ErrorTranslation(
            "Save the image as JPEG, PNG or WebP.", "Speichere das Bild als JPEG, PNG oder WebP.",
            "请将图片另存为 JPEG、PNG 或 WebP。"),
        ErrorTranslation(
            "Save the image as JPEG. An iPhone takes JPEG photos if Settings, Camera, Formats is set to Most Compatible.",
            "Speichere das Bild als JPEG. Ein iPhone nimmt JPEG auf, wenn unter Einstellungen, Kamera, Formate "
                + "„Maximale Kompatibilität“ gewählt ist.",
            "请将图片另存为 JPEG。在 iPhone 的“设置”>“相机”>“格式”中选择“兼容性最佳”，即可拍摄 JPEG 照片。"),
        ErrorTranslation(
            "Convert the video to MP4 or WebM.", "Wandle das Video in MP4 oder WebM um.", "请将视频转换为 MP4 或 WebM。"),
        ErrorTranslation(
            "Convert the file to MP3 or Ogg.", "Wandle die Datei in MP3 oder Ogg um.", "请将文件转换为 MP3 或 Ogg。"),
        ErrorTranslation(
            "The video contains a data track that reveals where it was made",
            "Das Video enthält eine Datenspur, die verrät, wo es aufgenommen wurde",
            "视频包含会泄露拍摄地点的数据轨道"),
        ErrorTranslation(
            "Export the video without it, for example with: {}", "Exportiere das Video ohne sie, zum Beispiel mit: {}",
            "请导出不含该轨道的视频，例如使用：{}"),

        // Sizes
        ErrorTranslation(
            "The image is too large: {} × {} pixels", "Das Bild ist zu groß: {} × {} Pixel", "图片过大：{} × {} 像素"),
        ErrorTranslation(
            "The video is too large: {} × {} pixels", "Das Video ist zu groß: {} × {} Pixel", "视频过大：{} × {} 像素"),
        ErrorTranslation(
            "Scale it down to at most {} megapixels.", "Verkleinere es auf höchstens {} Megapixel.",
            "请缩小到最多 {} 百万像素。"),
        ErrorTranslation("The animation is too long", "Die Animation ist zu lang", "动画过长"),
        ErrorTranslation(
            "At most {} frames are allowed; or upload a video.",
            "Erlaubt sind höchstens {} Einzelbilder; oder lade ein Video hoch.",
            "最多允许 {} 帧；或者上传视频。"),

        // Names
        ErrorTranslation("Invalid file name", "Ungültiger Dateiname", "文件名无效"),
        ErrorTranslation(
            "Use one path segment of at most 255 bytes, without control characters or a leading dot.",
            "Erlaubt sind höchstens 255 Bytes, ohne Schrägstrich, Steuerzeichen und Punkt am Anfang.",
            "最多 255 字节，不含斜杠和控制字符，且不以点开头。"),
    ]
}

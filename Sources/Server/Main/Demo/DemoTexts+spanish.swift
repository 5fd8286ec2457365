// swift-format-ignore-file
// Excluded from formatting, because one text per line is easier to read.

extension DemoTexts {
    static let spanish: [String] = [
        "El arroz se ha pegado justo lo necesario. Esta noche se cena con orgullo. 🥘",
        "La tortilla, ¿con cebolla o sin cebolla? Pregunto con mucho respeto y con la sartén en la mano.",
        "Mi abuela decía «un puñado», y su mano tenía exactamente el tamaño perfecto.",
        "Sopa fría, pan del bueno y la persiana a medio bajar. No hace falta más. #cocina",
        "Viento en contra a la ida y viento en contra a la vuelta. La física me debe una explicación. 🚲",
        "Cadena nueva, ruedas centradas y ni un solo ruido. Da gusto. #bicicleta",
        "Un señor se detuvo para preguntarme si necesitaba ayuda con el pinchazo. No la necesitaba, pero me alegró el día.",
        "Ventanilla, un buen libro y cuatro horas de paisaje. Me encanta viajar en tren. 🚆",
        "El tren regional tarda el doble y se disfruta el triple. #trenes",
        "Los tomates del balcón ya tienen color. Son cuatro, pero son míos. 🍅",
        "La albahaca y yo hemos llegado a un acuerdo: yo la riego y ella no se muere. #huerto",
        "Tareas del huerto:\n– quitar hierbas\n– regar\n– conversar un rato con los tomates",
        "He quitado todos los scripts de mi página. Ahora carga antes de que me dé tiempo a parpadear. #smallweb",
        "Qué bonitas son las páginas personales con libro de visitas. Por eso he puesto uno: https://example.org/visitas",
        "Era la zona horaria. Siempre es la zona horaria.",
        "Un índice bien puesto en SQLite vale más que mil tazas de café. #sqlite",
        "¿Hay algún atajo de teclado que te haya cambiado la vida? El mío es buscar hacia atrás en el historial de la terminal.",
        "Anoche se veía la Vía Láctea de lado a lado. Nadie dijo nada durante diez minutos. 🌌",
        "En la biblioteca del barrio ya prestan semillas. Se llevan, se plantan y, después de la cosecha, se devuelven.\n\nMe parece una idea preciosa. #bibliotecas",
        "Me quedan veinte páginas y no quiero que se acabe. Voy a leer más despacio.",
        "El gato ha decidido que mi silla es suya. Trabajo de pie. 🐈",
        "Compramos una cama para el gato. Duerme en la caja.",
        "Huele a lluvia y todavía no ha caído ni una gota. Qué momento tan bonito.",
        "Llevo un mes con el mismo compás de la misma pieza. En la casa de al lado ya lo tararean. #guitarra",
        "Cinco kilómetros sin parar, salvo para saludar a un perro. Cuenta igual, ¿no?",
        "La lámpara vuelve a encenderse. Era un cable suelto y mucha pelusa. 🔧",
        "Noche de juegos de mesa: explicar las reglas nos llevó más que la partida, y fue lo más divertido.",
        "@ada gracias por la receta del pan de centeno. La corteza cruje y toda la casa huele a panadería.",
    ]

    static let spanishReplies: [String] = [
        "¡Qué maravilla!",
        "Me pasa exactamente lo mismo.",
        "Cuenta más, por favor.",
        "Gracias, me has alegrado el día.",
        "Totalmente de acuerdo.",
        "Me he reído en voz alta. 😄",
        "Esto es lo que me gusta leer aquí.",
        "¡Queremos la segunda parte!",
        "Mejor dicho, imposible.",
        "Me lo guardo para luego.",
    ]
}

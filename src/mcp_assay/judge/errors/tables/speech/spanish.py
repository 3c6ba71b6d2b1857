"""What errors say in Spanish."""

from __future__ import annotations

from typing import Final

from mcp_assay.judge.errors.patterns import (
    CERTAIN,
    FAIR,
    STRONG,
    business,
    conversion,
    environment,
    failure,
    table,
    unclear,
)

SPANISH: Final = table(
    "spanish",
    failure(
        CERTAIN,
        """
        puntero nulo | referencia nula | no implementado | no implementada | desbordamiento
        excepción no controlada | índice fuera | división por cero | división entre cero
        se esperaba … null | se esperaba … nulo | se esperaba … undefined | se esperaba … none
        se esperaba … vacío | se esperaba un objeto | esperaba … null | esperaba … none
        esperaba … undefined | llegó null | recibió null | recibido null | obtuvo null
        devolvió null | es null | llegó undefined | recibió undefined | obtuvo undefined
        devolvió undefined | es undefined | referencia a objeto no establecida
        instancia de un objeto | índice estaba fuera | índice … fuera de rango
        índice … fuera de límites | índice … fuera de los límites | fuera de los límites
        plantilla interna | tabla interna | estructura interna | error de programación
        fallo de programación | error en el código | fallo interno del programa | estado imposible
        violación de segmento | no se encontraba en el diccionario | no está en el diccionario
        serializar la respuesta | serializar el resultado | serializar … respuesta
        codificar la respuesta | error al renderizar | desbordamiento de pila | dividir por cero
        dividir entre cero | aserción | sin implementar | no está implementad*
        aún no implementad* | excepción no capturada | excepción no manejada
        método no encontrado en | no tiene el método | no tiene el atributo
        no se puede convertir un objeto | consulta mal formada | consulta sql generada
        respuesta no cumple | no cumple … esquema de salida | módulo … no encontrado
        función … no está definida | variable … no está definida | variable … no definida
        puntero inválido | bucle infinito | propiedad … nulo | propiedad … null
        propiedad … undefined | la secuencia no contiene | versión del programa
        """,
    ),
    conversion(
        CERTAIN,
        """
        no existe la columna | no existe la relación | no existe la tabla | columna … no existe
        tabla … no existe | relación … no existe | columna desconocida | error de sintaxis
        error sintáctico | cadena de entrada no tiene | no se pudo interpretar
        no se pudo analizar | no se pudo decodificar | no se pudo deserializar | json mal formado
        conversión … no válida | conversión … fallida | no se pudo convertir
        """,
    ),
    environment(
        CERTAIN,
        """
        tiempo de espera | tiempo agotado | se agotó el tiempo | no responde | fuera de servicio
        servidor caído | está caído | inaccesible | sobrecargado | no se pudo conectar
        variable de entorno | no está configurado | no está configurada | no configurado
        no está instalado | espacio en disco | sin conexión | inalcanzable | no respondió
        equipo de destino denegó | conexión rechazada | conexión rehusada | conexión perdida
        conexión cerrada | conexión denegada | conexión interrumpida | la conexión con
        de conexión con | una conexión con | establecer conexión con | impresora … papel
        impresora … tinta | impresora … tóner | impresora … desconectada | impresora … atascada
        impresora … apagada | sin papel | sin tinta | atasco de papel | base de datos … bloqueada
        base de datos … caída | base de datos … cerrada | no queda espacio | disco lleno
        sin espacio | certificado del servidor | certificado digital del | certificado … caducado
        certificado … ha caducado | certificado … no es de confianza | certificado … verific
        falta la variable | falta … en la configuración | falta … configuración del servidor
        sin configurar | no se ha configurado | no se configuró | no se ha podido contactar
        no se pudo contactar | no se pudo acceder al servi* | no se puede acceder al servi*
        no se pudo establecer | no contesta | no ha respondido | tardó demasiado
        ha tardado demasiado | está tardando | se agotó | error del proveedor
        fallo del proveedor | red no disponible | sin red | host desconocido | no se pudo resolver
        interbloqueo | sin memoria | memoria insuficiente | autentificación … falló
        autenticación … base de datos | demasiadas conexiones | demasiados archivos abiertos
        solo lectura | no se encuentra instalad* | no está instalad* | servicio caído
        fuera de línea | cortafuegos
        """,
    ),
    environment(STRONG, "conexión | mantenimiento | temporalmente"),
    environment(FAIR, "no disponible | no está disponible | clave de api"),
    business(
        CERTAIN,
        """
        datos de conexión | certificado de regalo | no está disponible para
        no está disponible en esa* | no está disponible en las fechas
        """,
    ),
    business(
        STRONG,
        """
        no encontrado | no encontrada | no se encontró | no se ha encontrado | no se encontraron
        no existe | no existen | no es válido | no es válida | no válido | no válida | ya existe
        ya está | ya ha sido | ya fue | ya se | ya tiene | obligatorio | obligatoria | requerido
        requerida | debe ser | deben ser | debe | deben | no tiene permiso | no tienes permiso
        permisos | no autorizado | acceso denegado | prohibido | caducado | caducada | ha vencido
        desconocido | desconocida | demasiado | al menos | como máximo | como mínimo | cuota
        límite | insuficientes | faltan | no puede | no se puede | no pueden | no hay
        no disponible para | no está permitido | no permitido | ningún | ninguna | incorrecto
        incorrecta | no coincide | ocupada | reservada | vacío | fuera de | sin permiso
        no admite | no se admite | agotado | agotada | no hay disponibilidad | sin disponibilidad
        sin existencias | sin stock | sin saldo | fondos insuficientes | no dispone de
        no cuenta con | rechazad* | denegad* | canjead* | no corresponde | no coinciden
        elija otr* | elige otr* | seleccione otr* | indique un* | solo el | sólo el | solo los
        únicamente | inicie sesión | inicia sesión | iniciar sesión | ha superado | ha alcanzado
        máximo permitido | número máximo | viola restricción | viola la restricción
        no es posible | no está dado de alta | no registrad* | no está registrad* | no pertenece
        no figura | no localizad* | no se localiz* | no reconoc* | mayor que | mayor de
        ha caducado | cuenta bloquead* | suspendid* | no admitid* | permiso denegado
        no está activ* | cancelado previamente | cancelada previamente | cerrad* | completo para
        aforo | sin plazas | no quedan | contraseña* | no tiene acceso | no tienes acceso
        no está autorizad* | no encontramos | no existe ningún | no hay ningún | no hay ninguna
        demasiad* | ya ha | ya han | ya hay | ya cuenta | ya no | rango permitido
        fuera del rango | en uso | fuera de plazo | fuera del horario
        """,
    ),
    unclear(
        FAIR,
        """
        ha ocurrido un error | ocurrió un error | se ha producido un error | se produjo un error
        error desconocido | error interno | error inesperado | algo salió mal | ha fallado | falló
        operación fallida | inténtelo de nuevo | inténtalo de nuevo | vuelva a intentarlo
        no se pudo completar | no se ha podido completar | no se pudo realizar
        no se ha podido realizar | no se pudo procesar | no se pudo ejecutar | error al ejecutar
        error al procesar | ha habido un problema | hubo un problema | hubo un error
        ha habido un error | contacte con | póngase en contacto | se produjo una excepción
        fue cancelada | operación cancelada | algo ha ido mal | algo falló
        se ha producido un fallo | error general | intente más tarde | intente de nuevo
        error indefinido | no especificado
        """,
    ),
)
